export { hashPassword, type PasswordVerdict, verifyDummyHash, verifyPassword } from './passwords.ts';
