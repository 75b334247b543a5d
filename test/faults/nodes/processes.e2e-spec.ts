import { describeFaults } from '../support/describe-faults.js';
import { PROCESS_FAULTS } from './index.js';
import { endIdleNodes } from './support/node-pool.js';

afterAll(endIdleNodes);

describeFaults('nodes that die, stand still or end', PROCESS_FAULTS);
