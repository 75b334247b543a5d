/**
 * The same response once its body has begun, so that its head is not sent before it is known what the answer is. A response without a
 * body, and one whose body is over, is given back as it is.
 */
export async function peeked(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const first = await reader.read();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (first.done) controller.close();
      else controller.enqueue(first.value);
    },
    pull: async (controller) => {
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
  const { status, headers } = response;
  return new Response(body, { status, headers });
}
