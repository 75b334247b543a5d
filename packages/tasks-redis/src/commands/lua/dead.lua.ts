/** Script: names the sessions that are dead. */
export const DEAD = `
-- Names the sessions that are dead.
--
-- KEYS[1]  sorted set of sessions by their last beat
-- ARGV[1]  lease in ms; '' names those that left, and no other
-- ARGV[2]  clock: '' for that of Redis
--
-- Replies  the sessions whose last beat is longer ago than the lease, those that left first
--
-- Guarantees: it only looks. The lease is measured by one clock, that of Redis, which also set the beats.

if ARGV[1] == '' then return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '-inf') end
return redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', '(' .. whole(now_ms(ARGV[2]) - tonumber(ARGV[1])))
`;
