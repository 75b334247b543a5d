import { describeFaults } from '../support/describe-faults.js';
import { SERVER_FAULTS } from './index.js';

describeFaults('a store whose Redis fails', SERVER_FAULTS);
