import { describeFaults } from '../support/describe-faults.js';
import { LOAD, withinTestRun } from './index.js';
import { endIdleNodes, keepNodesWarm } from './support/node-pool.js';

beforeAll(keepNodesWarm);
afterAll(endIdleNodes);

describeFaults('calls that meet on several nodes', withinTestRun(LOAD));
