import { closeEndpoints, complete, progress, send, startEndpoint } from './http-harness.js';

afterEach(closeEndpoints);

describe('a POST to the endpoint', () => {
  it('is answered as one JSON object when nothing was streamed', async () => {
    const { port } = await startEndpoint({ answer: async (message) => complete(message, { text: 'ü' }) });
    const reply = await send(port);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(reply.json).toEqual({ jsonrpc: '2.0', id: 1, result: { resultType: 'complete', text: 'ü' } });
  });

  it('is answered as SSE once a notification was sent, the response last', async () => {
    const { port } = await startEndpoint({
      answer: async (message, exchange) => {
        exchange.notifications.notify(progress(1));
        return complete(message);
      },
    });
    const reply = await send(port);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
    expect(reply.text).toBe(
      'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":1}}\n\n' +
        'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{"resultType":"complete"}}\n\n',
    );
  });
});
