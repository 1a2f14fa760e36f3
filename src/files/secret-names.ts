// Which environment variables hold secrets, judged by name first and then by value. Pure.

const SECRET_WORDS = new Set(
  (
    'KEY KEYS APIKEY TOKEN TOKENS SECRET SECRETS PASS PASSWD PASSWORD PASSPHRASE PASSCODE PWD CREDENTIAL CREDENTIALS ' +
    'CREDS AUTH AUTHORIZATION BEARER COOKIE PAT'
  ).split(' '),
);
const SECRET_ENDING =
  /(?:API|ACCESS|PRIVATE|SECRET|SIGNING|ENCRYPTION|MASTER|SSH)KEYS?$|(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?$/;
const PASSWORD_WORD = /PASS|PWD/;

// A name that ends so says where or how, not what: SSH_AUTH_SOCK, TOKEN_URL, PASSWORD_STORE_DIR, KEY_TYPE.
const HARMLESS_LAST = new Set(
  (
    'SOCK SOCKET FILE PATH DIR FOLDER HOME URL URI HOST PORT ENDPOINT TYPE METHOD MODE ALGORITHM TTL TIMEOUT EXPIRES ' +
    'EXPIRY LIMIT COUNT MAX SIZE LENGTH PID ENABLED DISABLED'
  ).split(' '),
);

const PLAIN_WORDS = /^(?:enabled?|disabled?|default|required|optional|always|prompt|basic|bearer|undefined|unknown)$/i;
const NUMBER = /^[+-]?\d+(?:\.\d+)?$/;
const KNOWN_FOLDER = /^(?:~|\.{1,2})?\/(?:home|Users|root|etc|run|tmp|var|usr|opt|mnt|srv|private|dev|proc)\//;
const LOWER_PATH = /^(?:~|\.{1,2})?(?:\/[a-z0-9._-]+){2,}\/?$/;
const PLAIN_URL = /^[a-z][a-z0-9+.-]{0,20}:\/\/[^@\s?]*$/i;

// Shorter values appear in ordinary text by chance; replacing them would garble it.
const MIN_LENGTH = 6;

export function looksSecret(name: string, value: string): boolean {
  const words = wordsOf(name);
  if (!words.some(word => SECRET_WORDS.has(word) || SECRET_ENDING.test(word))) return false;
  if (words.length === 1 && (words[0] === 'PWD' || words[0] === 'OLDPWD')) return false;
  if (HARMLESS_LAST.has(words.at(-1) ?? '') && !/PRIVATE KEY/.test(value)) return false;
  return words.some(word => PASSWORD_WORD.test(word)) ? isPlausible(value, true) : isPlausible(value, false);
}

function isPlausible(value: string, isPassword: boolean): boolean {
  if (value.trim().length < MIN_LENGTH || PLAIN_WORDS.test(value)) return false;
  if (NUMBER.test(value)) return isPassword;
  return !KNOWN_FOLDER.test(value) && !LOWER_PATH.test(value) && !PLAIN_URL.test(value);
}

// npm_config__authToken is NPM, CONFIG, AUTH, TOKEN.
function wordsOf(name: string): string[] {
  const spaced = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  return spaced
    .toUpperCase()
    .split(/[^A-Z0-9]+/)
    .filter(word => word !== '');
}
