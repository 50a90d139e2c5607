/** The shortest password of a user in characters, by the profile, where `svc.security.password-min-length` is not set. */
export const PASSWORD_MIN_LENGTH = Object.freeze({ compatible: 4, hardened: 8 });
