export { guardPromises, guardRatios } from './guard/guard-ratios.js';
