import { isFloodable } from '../src/boot/startup-log.js';

describe('releases of Node with the hash flooding fault', () => {
  it.each(['18.20.8', '20.19.0', '20.20.1', '22.22.1', '23.11.0', '24.14.0'])('%s has it', (version) =>
    expect(isFloodable(version)).toBe(true),
  );
  it.each(['20.20.2', '20.21.0', '22.22.2', '24.14.1', '24.15.0', '25.0.0', '26.1.0'])('%s has it not', (version) =>
    expect(isFloodable(version)).toBe(false),
  );
});
