const ADDRESS = /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u;

/** Whether a text is one e-mail address: no list, no comment, no route through several hosts. */
export const isOneAddress = (email: string): boolean => ADDRESS.test(email);
