/** A map of a module, empty when it is made: whatever it gets, it keeps for as long as the process lives. */
const LASTING_MAP = /^(?:export )?(?:const|let) \w+(?:: [^=\n]+)? = new (?:Weak)?(?:Map|Set)(?:<[^(]*>)?\(\)/m;

/** Whether a source file has a map that outlives requests. `NONE`, as an empty value is called, gets nothing. */
export const hasLastingMap = (source: string): boolean => LASTING_MAP.test(source.replaceAll(/^const NONE\b.*$/gm, ''));
