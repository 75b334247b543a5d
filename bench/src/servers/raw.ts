import { createServer } from 'node:http';
import { listenHttp } from './listen.js';
import { echoAnswer } from './echo-text.js';

// The floor of Node itself: reads a JSON body and writes a JSON answer.
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { id, params } = JSON.parse(Buffer.concat(chunks).toString()) as { id: number; params: { arguments: { text: string } } };
    const body = Buffer.from(JSON.stringify(echoAnswer(id, params.arguments.text)));
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
    response.end(body);
  });
});
await listenHttp(server);
