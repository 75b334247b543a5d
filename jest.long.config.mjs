import { shared } from './jest.config.mjs';

/** Tests that take long, or compare times: `npm run test:faults` runs them, one after the other. */
export default {
  ...shared,
  displayName: 'long',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.long-spec.ts'],
  maxWorkers: 1,
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
};
