/**
 * The advisory lock of relays and of the replay, which changes the events that relays publish: the letters of "relay".
 */
export const RELAY_LOCK = 0x72_65_6c_61_79;
