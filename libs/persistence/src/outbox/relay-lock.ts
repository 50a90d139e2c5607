/** The advisory lock of whoever publishes from the outbox, or changes what is to be published: the letters of "relay". */
export const RELAY_LOCK = 0x72_65_6c_61_79;
