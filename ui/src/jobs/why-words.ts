const TWICE = / is (asleep|paused|offline|degraded)( \([^)]*\))?: (?:marked )?\1/;
const RETURN_TWICE = " · will catch up on return; it will run on its return";

/**
 * The hub's sentence without what it says twice: "host nas is asleep: asleep · last seen 9 h ago …" has the state of
 * the host and then the host's own words, which begin with the same.
 */
export function saidOnce(sentence: string): string {
  return sentence.replace(TWICE, " is $1$2").replace(RETURN_TWICE, "; it will run on its return");
}
