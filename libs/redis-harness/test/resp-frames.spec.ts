import { RespFrames } from '../src/resp-frames.js';

const FRAMES = [
  '*2\r\n$3\r\nGET\r\n$4\r\n\r\n\r\n\r\n',
  '+OK\r\n',
  '-ERR no\r\n',
  ':7\r\n',
  '$-1\r\n',
  '*-1\r\n',
  '*0\r\n',
  '$0\r\n\r\n',
  '%2\r\n+a\r\n*2\r\n:1\r\n$1\r\nx\r\n+b\r\n_\r\n',
  '~1\r\n#t\r\n',
  '>3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$2\r\n\r\n\r\n',
  ',1.5\r\n',
  '=7\r\ntxt:abc\r\n',
];

describe('the frames of a stream of RESP', () => {
  it('are cut where they end, whatever the type and what is in them', () => {
    const taken = new RespFrames().take(Buffer.from(FRAMES.join('')));
    expect(taken.map(String)).toEqual(FRAMES);
  });

  it('are the same however the stream is cut into pieces', () => {
    const stream = Buffer.from(FRAMES.join(''));
    for (let size = 1; size < 20; size++) {
      const frames = new RespFrames();
      const taken: string[] = [];
      for (let at = 0; at < stream.length; at += size) taken.push(...frames.take(stream.subarray(at, at + size)).map(String));
      expect(taken).toEqual(FRAMES);
    }
  });
});
