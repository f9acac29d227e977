/** Returns the text of an answer; undefined if it has more bytes, and then the rest is not read. */
export async function textOf(response: Response, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let [text, size] = ["", 0];
  for (;;) {
    const { done = true, value } = (await reader?.read()) ?? {};
    if (done) return text + decoder.decode();
    size += value!.length;
    if (size > maxBytes) {
      reader!.cancel().catch(() => undefined);
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
