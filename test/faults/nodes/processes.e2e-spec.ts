import { describeFaults } from '../support/describe-faults.js';
import { PROCESS_FAULTS } from './index.js';

describeFaults('nodes that die, stand still or end', PROCESS_FAULTS);
