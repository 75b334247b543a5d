import { describeFaults } from '../support/describe-faults.js';
import { KILLS } from './index.js';
import { endIdleNodes } from './support/node-pool.js';

afterAll(endIdleNodes);

describeFaults('nodes that die', KILLS);
