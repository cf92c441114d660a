import { redactHeaders, redactUrl } from "@entente/trace"

type Headers = Readonly<Record<string, string>>

/** Headers without those that say who one is; undefined where none does. */
export const headersWithoutCredentials = (headers: Headers): Headers | undefined => {
  const kept = Object.entries(headers).filter(
    ([name, value]) => redactHeaders({ [name]: value })[name] === value,
  )
  return kept.length === Object.keys(headers).length ? undefined : Object.fromEntries(kept)
}

/** An address without its user and the parameters that are secrets; undefined where it has none. */
export const urlWithoutCredentials = (text: string): string | undefined => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const secrets = [...url.searchParams].filter(([name, value]) => {
    const alone = `http://host/?${new URLSearchParams([[name, value]]).toString()}`
    return redactUrl(alone) !== alone
  })
  if (url.username === "" && url.password === "" && secrets.length === 0) return undefined
  url.username = ""
  url.password = ""
  for (const [name] of secrets) url.searchParams.delete(name)
  return url.href
}
