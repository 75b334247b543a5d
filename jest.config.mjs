const swc = [
  '@swc/jest',
  {
    swcrc: false,
    jsc: {
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      target: 'es2022',
      keepClassNames: true,
    },
    sourceMaps: 'inline',
  },
];

/** What every project shares; Jest does not inherit it from the top level. */
const shared = {
  rootDir: import.meta.dirname,
  testEnvironment: 'node',
  // Import the workspace packages from their sources: no build before the tests.
  testEnvironmentOptions: { customExportConditions: ['@mocapi/source', 'node', 'node-addons'] },
  extensionsToTreatAsEsm: ['.ts'],
  moduleFileExtensions: ['ts', 'js', 'mjs', 'cjs', 'json', 'node'],
  resolver: '<rootDir>/tools/jest-resolver.cjs',
  // "cookie" is an ES module that light-my-request require()s. Jest can't do that before Node 24.9.
  transform: { '^.+\\.ts$': swc, '/node_modules/cookie/.+\\.js$': swc },
  transformIgnorePatterns: ['/node_modules/(?!cookie/)'],
  setupFiles: ['reflect-metadata'],
  modulePathIgnorePatterns: ['/dist/'],
};

const unitRoots = ['packages', 'libs', 'apps'].map((folder) => `<rootDir>/${folder}`);

export default {
  maxWorkers: '100%',
  workerIdleMemoryLimit: '1GB',
  globalSetup: '<rootDir>/test/global-setup.mjs',
  globalTeardown: '<rootDir>/test/global-teardown.mjs',
  projects: [
    { ...shared, displayName: 'unit', roots: unitRoots, testMatch: ['**/test/**/*.spec.ts'] },
    { ...shared, displayName: 'e2e', roots: ['<rootDir>/test'], testMatch: ['**/*.e2e-spec.ts'] },
  ],
  collectCoverageFrom: ['packages/*/src/**/*.ts', 'libs/*/src/**/*.ts'],
  coverageProvider: 'v8',
};
