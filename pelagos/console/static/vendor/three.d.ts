// The types of the vendored file are those of the package it was built from.
export * from "three";
