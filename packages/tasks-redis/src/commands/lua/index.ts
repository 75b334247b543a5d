import { ADMIT } from './admit.lua.js';
import { BEAT } from './beat.lua.js';
import { BURY } from './bury.lua.js';
import { CLOCK } from './clock.lua.js';
import { CREATE } from './create.lua.js';
import { ENTER } from './enter.lua.js';
import { JOIN } from './join.lua.js';
import { LEAVE } from './leave.lua.js';
import { RECORD } from './record.lua.js';
import { UPDATE } from './update.lua.js';
import { UPDATE_HASH } from './update-hash.lua.js';

/** Goes before every script. */
export const PROLOGUE = CLOCK;

/** The scripts by name; the head of each says what it takes, replies and guarantees. Text in modules, so that a bundle holds them. */
export const SCRIPTS = {
  admit: ADMIT,
  beat: BEAT,
  bury: BURY,
  create: CREATE,
  enter: ENTER,
  join: JOIN,
  leave: LEAVE,
  record: RECORD,
  update: UPDATE,
  updateHash: UPDATE_HASH,
};
