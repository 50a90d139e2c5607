/**
 * One configuration for every kind of test; the file name tells the kind:
 * `*.test.ts` values only · `*.prop.test.ts` properties · `*.int.test.ts` real backends.
 * Tests run against the sources (export condition `lintel-source`), as ES modules.
 */
const config = {
  testEnvironment: 'node',
  testEnvironmentOptions: { customExportConditions: ['lintel-source', 'node'] },
  roots: [
    '<rootDir>/libs',
    '<rootDir>/services',
    '<rootDir>/examples',
    '<rootDir>/deploy',
    '<rootDir>/tests',
    '<rootDir>/tools',
  ],
  testMatch: ['**/*.test.ts'],
  modulePathIgnorePatterns: ['/dist/'],
  transform: {
    '\\.ts$': ['@swc/jest', { jsc: { parser: { syntax: 'typescript' }, target: 'es2024' }, module: { type: 'es6' } }],
  },
  extensionsToTreatAsEsm: ['.ts'],
};

export default config;
