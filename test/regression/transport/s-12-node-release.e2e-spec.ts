import { createMcpTestingApp } from '@mocapi/testing';

describe('S-12: a Node whose hashes can be flooded is named at boot', () => {
  const { versions } = process;
  afterEach(() => void Object.defineProperty(process, 'versions', { value: versions, configurable: true }));

  it('once in a process, with the releases that are safe', async () => {
    Object.defineProperty(process, 'versions', { value: { ...versions, node: '22.22.1' }, configurable: true });
    const said: string[] = [];
    for (let boots = 0; boots < 2; boots++) {
      const app = await createMcpTestingApp({ providers: [] });
      said.push(...app.logs.map(({ message }) => message).filter((line) => line.includes('hash')));
      await app.close();
    }
    expect(said).toEqual([expect.stringMatching(/22\.22\.1.*20\.20\.2, 22\.22\.2, 24\.14\.1/)]);
  });
});
