import { describeFaults } from '../support/describe-faults.js';
import { FAILOVER_FAULTS, withinTestRun } from './index.js';

describeFaults('a store whose tasks go from one Redis to another', withinTestRun(FAILOVER_FAULTS));
