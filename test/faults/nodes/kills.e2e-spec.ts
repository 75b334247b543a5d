import { describeFaults } from '../support/describe-faults.js';
import { KILLS, withinTestRun } from './index.js';
import { endIdleNodes, keepNodesWarm } from './support/node-pool.js';

beforeAll(keepNodesWarm);
afterAll(endIdleNodes);

describeFaults('nodes that die', withinTestRun(KILLS));
