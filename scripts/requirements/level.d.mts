export declare const isDemanded: (level: string) => boolean
export declare const isRecommended: (level: string) => boolean
