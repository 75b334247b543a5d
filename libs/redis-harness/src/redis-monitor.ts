import { once } from 'node:events';
import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseMonitored, type MonitoredCommand } from './parse-monitored.js';

/**
 * Follows everything a Redis does, by MONITOR. The client library has a monitor, too, but takes what comes right behind the "OK" for the reply to
 * something else: on a busy server that is the first command.
 * @returns what ends it
 * @throws Error when the server refuses, or when it ends the connection before it has agreed
 */
export async function monitorRedis(url: string, onCommand: (command: MonitoredCommand) => void): Promise<() => void> {
  const { protocol, hostname, port, username, password } = new URL(url);
  const at = { host: hostname, port: Number(port || 6379) };
  const socket = protocol === 'rediss:' ? connectTls({ ...at, servername: hostname }) : connectPlain(at);
  await once(socket, protocol === 'rediss:' ? 'secureConnect' : 'connect');
  const login = password ? [['AUTH', ...(username ? [username] : []), password].map(decodeURIComponent)] : [];
  const agreed = followLines(socket, { replies: login.length + 1, onCommand });
  for (const command of [...login, ['MONITOR']]) socket.write(encode(command));
  await agreed;
  return () => socket.destroy();
}

/** Resolves once as many commands were agreed to; every line after that is something that the server did. */
function followLines(
  socket: Socket,
  { replies, onCommand }: { replies: number; onCommand: (command: MonitoredCommand) => void },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest = '';
    let left = replies;
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (left === 0) onCommand(parseMonitored(line));
        else if (line === '+OK') left -= 1;
        else socket.destroy(new Error(`Redis does not let itself be watched: ${line}`));
        if (left === 0) resolve();
      }
    });
    socket.once('error', reject).once('close', () => reject(new Error('Redis ended the connection of its monitor')));
  });
}

function encode(command: readonly string[]): string {
  return `*${command.length}\r\n${command.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}
