/** Returns the text of a response. If the text exceeds `maxBytes`, stops reading and returns undefined. */
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
