import { enumeration } from '@lintel/metadata';

export const EnumKind = enumeration('library.EnumKind', { X: 'x', X2: 'X' });
