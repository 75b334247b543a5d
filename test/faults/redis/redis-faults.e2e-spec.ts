import { describeFaults } from '../support/describe-faults.js';
import { REDIS_FAULTS } from './index.js';

describeFaults('a store whose Redis fails', REDIS_FAULTS);
