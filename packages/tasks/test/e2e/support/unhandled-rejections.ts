export * from '../../../../../test/support/unhandled-rejections.js';
