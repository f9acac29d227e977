/** Directed graph whose nodes are numbered in the order in which they are added. */
export class Graph {
  private readonly targets: number[] = [];
  private readonly starts: number[] = [0];

  get edges(): number {
    return this.targets.length;
  }

  /** Adds the next node with its edges. */
  add(targets: Iterable<number>): void {
    for (const target of targets) this.targets.push(target);
    this.starts.push(this.targets.length);
  }

  /** Returns the strongly connected parts that have a cycle of several nodes, by Tarjan's algorithm without recursion. */
  cycles(): number[][] {
    const { starts, targets } = this;
    const size = starts.length - 1;
    const order = new Int32Array(size).fill(-1);
    const low = new Int32Array(size);
    const isOpen = new Uint8Array(size);
    const edge = Int32Array.from(starts);
    const [parts, open, path]: [number[][], number[], number[]] = [[], [], []];
    let count = 0;
    const enter = (at: number) => {
      order[at] = low[at] = count++;
      isOpen[at] = 1;
      open.push(at);
      path.push(at);
    };
    for (let root = 0; root < size; root++) {
      if (order[root] < 0) enter(root);
      while (path.length > 0) {
        const at = path.at(-1)!;
        if (edge[at] < starts[at + 1]) {
          const to = targets[edge[at]++];
          if (order[to] < 0) enter(to);
          else if (isOpen[to]) low[at] = Math.min(low[at], order[to]);
          continue;
        }
        path.pop();
        const above = path.at(-1);
        if (above !== undefined) low[above] = Math.min(low[above], low[at]);
        if (low[at] !== order[at]) continue;
        const part = open.splice(open.lastIndexOf(at));
        for (const each of part) isOpen[each] = 0;
        if (part.length > 1) parts.push(part);
      }
    }
    return parts;
  }
}
