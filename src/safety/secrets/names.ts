/** Names that say that a secret follows, in the languages of prompts and notes. Pure. */
import type { SecretKind } from "./found.js";

export interface Name {
  readonly kind: SecretKind;
  /** Common for harmless values, too, so the value must look like a secret. */
  readonly isWeak: boolean;
}

/** "Password" in languages that set blanks between words. */
const PASSWORD_WORDS =
  "passwort|kennwort|mot de passe|contraseña|palabra de paso|senha|palavra-passe|contrasenya|parola d['’]ordine|parola|wachtwoord|" +
  "wagwoord|lösenord|adgangskode|kodeord|passord|salasana|lykilorð|heslo|hasło|jelszó|geslo|lozinka|parool|salasõna|parole|slaptažodis|" +
  "şifre|sifre|кодов[оа]е слово|пароль|парола|лозинка|құпиясөз|κωδικός(?: πρόσβασης)?|συνθηματικό|mật khẩu|kata sandi|kata laluan|" +
  "סיסמה|סיסמא|كلمة المرور|كلمة السر|رمز عبور|گذرواژه|पासवर्ड|পাসওয়ার্ড";
/** Nothing separates words in these. */
const UNSPACED_WORDS = "密码|密碼|口令|パスワード|暗証番号|비밀번호|암호|รหัสผ่าน";
const KEY_OWNERS =
  "api|access|private|account|encryption|signing|auth|client|master|license|app|service|session|shared|unseal|setup|recovery";

const NAME = new RegExp(
  String.raw`pass(?:word|wd|phrase|code)|pwd|requirepass|(?:store|key|[_-])pass(?![A-Za-z])|(?<![A-Za-z])(?:psk|pass|pw)(?![A-Za-z])|` +
    String.raw`private_key_id|secret|(?:${KEY_OWNERS})[ _-]{0,1}key|token|(?<=_)pat(?![A-Za-z])|` +
    String.raw`(?<![A-Za-z])_?auth(?![A-Za-z])|authorization|credential|cookie|sess(?:ion)?id|\bPIN\b|` +
    String.raw`(?<!\p{L})(?:${PASSWORD_WORDS})(?!\p{L})|${UNSPACED_WORDS}`,
  "giu",
);

export function listNames(text: string): { readonly name: string; readonly index: number }[] {
  // Test runners print such names for passed tests.
  return [...text.matchAll(NAME)]
    .map(({ 0: name, index }) => ({ name, index }))
    .filter(({ name }) => name !== "PASS");
}

export function classifyName(name: string): Name {
  const word = name.toLowerCase();
  if (word === "pin") return { kind: "PIN", isWeak: false };
  // Counts have this name, too.
  if (word === "pass" || word === "pw") return { kind: "password", isWeak: true };
  if (word === "secret") return { kind: "secret", isWeak: false };
  if (/^(?:api|access|private|account|encryption|shared|unseal).?key$/.test(word))
    return { kind: "key", isWeak: false };
  if (/key(?:_id)?$/.test(word)) return { kind: "key", isWeak: true };
  if (word === "token" || word === "pat") return { kind: "token", isWeak: true };
  if (/^(?:_?auth|authorization|credential|cookie|sess(?:ion)?id)$/.test(word))
    return { kind: "secret", isWeak: true };
  return { kind: "password", isWeak: false };
}
