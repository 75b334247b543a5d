import { describeFaults } from '../support/describe-faults.js';
import { LOAD } from './index.js';
import { endIdleNodes } from './support/node-pool.js';

afterAll(endIdleNodes);

describeFaults('calls that meet on several nodes', LOAD);
