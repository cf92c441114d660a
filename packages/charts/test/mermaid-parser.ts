import DOMPurify from "dompurify"

// Mermaid cleans texts of HTML through a library that needs a browser's document, also where it only parses.
// Without one that library has no methods; here it lets every text through. The parser is Mermaid's own.
if (!DOMPurify.isSupported) {
  Object.assign(DOMPurify, { addHook: () => {}, sanitize: (text: string) => text })
}

const { default: mermaid } = await import("mermaid")

/** What Mermaid itself says against a diagram; undefined when it takes it for a state diagram. */
export const complaintOf = async (diagram: string): Promise<string | undefined> => {
  try {
    const { diagramType } = await mermaid.parse(diagram)
    return diagramType === "stateDiagram" ? undefined : `a ${diagramType}`
  } catch (error) {
    return String(error)
  }
}
