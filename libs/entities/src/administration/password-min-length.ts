/**
 * Minimum length of a user's password in characters, by profile; used if `svc.security.password-min-length` is not set.
 */
export const PASSWORD_MIN_LENGTH = Object.freeze({ compatible: 4, hardened: 8 });
