import { describeFaults } from '../support/describe-faults.js';
import { LOAD_FAULTS } from './index.js';

describeFaults('calls that meet on several nodes', LOAD_FAULTS);
