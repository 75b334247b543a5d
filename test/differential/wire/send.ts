import { connect } from 'node:net';
import { bytesOf, type RawRequest } from './raw-request.js';
import { parseResponse, type RawResponse } from './raw-response.js';

/** How long a stream that stays open has to be silent until what came is taken for all. */
const QUIET_MS = 100;
const TIMEOUT_MS = 5_000;

/** Called with what came so far of a stream that the server keeps open. */
export type OnFirstEvent = () => void;

/**
 * Sends the bytes of one request on a connection of their own and reads the response to its end.
 * @param onFirstEvent for a request whose stream stays open: called when its first event is there; what came until it is quiet is all then
 */
export function send(port: number, request: RawRequest, onFirstEvent?: OnFirstEvent): Promise<RawResponse> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const chunks: Buffer[] = [];
    let quiet: NodeJS.Timeout | undefined;
    let begin = onFirstEvent;
    const finish = (): void => {
      clearTimeout(quiet);
      clearTimeout(limit);
      socket.destroy();
      resolve(parseResponse(Buffer.concat(chunks)));
    };
    const limit = setTimeout(finish, TIMEOUT_MS);
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      const response = parseResponse(Buffer.concat(chunks));
      if (response.isWhole) return finish();
      if (onFirstEvent === undefined || !response.body.includes('\n\n')) return;
      clearTimeout(quiet);
      quiet = setTimeout(finish, QUIET_MS);
      begin?.();
      begin = undefined;
    });
    // A server may answer and end before it has read everything that was sent.
    socket.on('error', () => undefined).on('close', finish);
    socket.write(bytesOf(request));
  });
}
