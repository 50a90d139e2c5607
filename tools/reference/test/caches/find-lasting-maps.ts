/** A map of a module that is empty at first: its entries live as long as the process. */
const LASTING_MAP = /^(?:export )?(?:const|let) \w+(?:: [^=\n]+)? = new (?:Weak)?(?:Map|Set)(?:<[^(]*>)?\(\)/m;

/** Whether a source file has a map that outlives requests. `NONE`, as an empty value is called, gets nothing. */
export const hasLastingMap = (source: string): boolean => LASTING_MAP.test(source.replaceAll(/^const NONE\b.*$/gm, ''));
