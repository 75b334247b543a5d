import { describeFaults } from '../support/describe-faults.js';
import { SERVER_FAULTS, withinTestRun } from './index.js';

describeFaults('a store whose Redis fails', withinTestRun(SERVER_FAULTS));
