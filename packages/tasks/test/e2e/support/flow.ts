export * from '../../../../../test/support/flow.js';
