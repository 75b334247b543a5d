import { describeFaults } from '../support/describe-faults.js';
import { STATES, withinTestRun } from './index.js';
import { endIdleNodes, keepNodesWarm } from './support/node-pool.js';

beforeAll(keepNodesWarm);
afterAll(endIdleNodes);

describeFaults('nodes that stand still, end, or see things otherwise', withinTestRun(STATES));
