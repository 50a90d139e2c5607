export { hashPassword, type PasswordVerdict, verifyNothing, verifyPassword } from './passwords.ts';
