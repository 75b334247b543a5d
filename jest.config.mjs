/** What every project shares; Jest does not inherit it from the top level. */
export const shared = {
  rootDir: import.meta.dirname,
  runner: '<rootDir>/tools/jest-runner/index.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  modulePathIgnorePatterns: ['/dist/'],
};

const unitRoots = ['packages', 'libs', 'apps'].map((folder) => `<rootDir>/${folder}`);

export default {
  maxWorkers: '100%',
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
  projects: [
    { ...shared, displayName: 'unit', roots: unitRoots, testMatch: ['**/test/**/*.spec.ts'] },
    { ...shared, displayName: 'e2e', roots: ['<rootDir>/test'], testMatch: ['**/*.e2e-spec.ts'] },
  ],
};
