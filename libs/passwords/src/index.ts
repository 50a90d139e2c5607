export { fingerprintOf, hashPassword, type PasswordVerdict, verifyDummyHash, verifyPassword } from './passwords.ts';
export {
  createPasswordPolicy,
  DEFAULT_MIN_LENGTH,
  type PasswordPolicy,
  type PasswordPolicyOptions,
  type PasswordWeakness,
} from './policy/password-policy.ts';
