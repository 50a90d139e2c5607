/** The text that replaces a secret. */
export const MASK = '***';

/** A text with the passwords in its URLs masked: `http://user:***@host`. Rather more than less is hidden. */
export const maskPasswords = (text: string): string => text.replaceAll(/(:\/\/[^\s/:@,]*):[^\s,"]*@/g, `$1:${MASK}@`);

/**
 * Masks a secret: of a URL only the password and the parameters, of any other value everything.
 * Lists of URLs are masked one by one.
 */
export const maskSecret = (text: string): string =>
  // A comma may be part of a password, unless another URL follows it.
  text
    .split(/,\s*(?=[a-z][a-z0-9+.-]*:\/\/)/i)
    .map(maskOne)
    .join(',');

function maskOne(text: string): string {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)([^@/?#]*)@([^@?#]*)(\?[^@#]*)?$/i.exec(text.trim());
  const bare = /^[a-z][a-z0-9+.-]*:\/\/[^@?#/:,]*(:\d{1,5})?(\/[^@?#:,]*)?$/i.exec(text.trim());
  if (match === null) return bare === null ? MASK : text.trim();
  const [, protocol = '', user = '', rest = '', parameters] = match;
  const colon = user.indexOf(':');
  // A name without a password may be a token.
  const maskedUser = colon < 0 ? MASK : `${user.slice(0, colon)}:${MASK}`;
  return `${protocol}${maskedUser}@${rest}${parameters === undefined ? '' : `?${MASK}`}`;
}
