import { describeFaults } from '../support/describe-faults.js';
import { FAILOVER_FAULTS } from './index.js';

describeFaults('a store whose tasks go from one Redis to another', FAILOVER_FAULTS);
