import { EventEmitter } from 'node:events';
import { OutageLog } from '../../src/connection/outage-log.js';
import { RecordingLog } from '../support/recording-log.js';

describe('what the log says of an outage', () => {
  it.each([
    ['Socket timeout. Expecting data, but none came..', 'Socket timeout. Expecting data, but none came'],
    ['read ECONNRESET', 'read ECONNRESET'],
  ])('goes on behind its reason, whether that ends like a sentence or not: %s', (message, told) => {
    const log = new RecordingLog();
    const client = new EventEmitter();
    new OutageLog(log).watch(client as never, 'db:1');
    client.emit('error', new Error(message));
    client.emit('close');
    expect(log.warnings).toEqual([`Redis is away: db:1, ${told}. Tasks can't be read or written until it is back`]);
  });
});
