/** Texts of people who write programs, as mail programs attach them. */
import { lines } from './ordinary-mail.ts';

/** Name, declared type, content, and the name under which it is to arrive. */
export type Attachment = readonly [name: string, type: string, content: string | Uint8Array, arrivesAs: string];

const OCTETS = 'application/octet-stream';
const keeps = (name: string, type: string, ...text: readonly string[]): Attachment => [
  name,
  type,
  lines(...text, ''),
  name,
];
const isText = (name: string, type: string, ...text: readonly string[]): Attachment => [
  name,
  type,
  lines(...text, ''),
  `${name}.txt`,
];

export const TEXT_ATTACHMENTS: readonly Attachment[] = [
  keeps(
    'package.json',
    'application/json',
    '{ "name": "a", "version": "1.2.3", "homepage": "https://sender.example/a" }',
  ),
  keeps('places.geojson', 'application/geo+json', '{ "type": "Point", "coordinates": [7.1, 50.7] }'),
  keeps('events.jsonl', OCTETS, '{"a":1}', '{"a":2}'),
  keeps('deploy.yaml', 'application/x-yaml', 'host: shop.com', 'image: registry.sender.example/app:1.2.3'),
  keeps('Cargo.toml', OCTETS, '[package]', 'name = "a"', 'version = "0.1.0"'),
  keeps('php.ini', OCTETS, '[PHP]', 'memory_limit = 128M'),
  keeps(
    'log4j.properties',
    'text/x-java-properties',
    'log4j.rootLogger=INFO, A1',
    'log4j.appender.A1=org.apache.log4j.ConsoleAppender',
  ),
  keeps(
    'fix.patch',
    'text/x-patch',
    '--- a/x.c',
    '+++ b/x.c',
    '@@ -1,2 +1,2 @@',
    '-print(1)',
    '+print(2)',
    ' return x;',
  ),
  keeps('change.diff', 'text/x-diff', 'diff --git a/x b/x', '@@ -1 +1 @@', '-=a(1)', '+=b(1)'),
  keeps('dump.sql', 'application/sql', 'CREATE TABLE a (b INT);', "INSERT INTO a VALUES (1, 'shop.com');"),
  keeps('paper.tex', 'application/x-tex', '\\documentclass{article}', '\\begin{document}', 'Hello', '\\end{document}'),
  keeps('refs.bib', 'text/x-bibtex', '@book{a, title = {A Book}, year = 2026}'),
  keeps('notes.md', 'text/markdown', '# Notes', '', '* one', '* two'),
  keeps('main.c', 'text/x-csrc', '#include <stdio.h>', 'int main(void) { puts("a"); return 0; }'),
  keeps('list.cpp', OCTETS, '#include <vector>', 'std::vector<int> a;', 'int main() { return a.size(); }'),
  keeps(
    'App.java',
    'text/x-java',
    'import java.util.List;',
    'class App { List<A> a; @Override() public int b() { return 1; } }',
  ),
  keeps('Program.cs', OCTETS, 'using System;', 'class P { static void Main() { Console.WriteLine("a"); } }'),
  keeps('main.go', OCTETS, 'package main', 'func main() {}'),
  keeps('lib.rs', 'application/rls-services+xml', 'pub fn a(v: Vec<i32>) -> usize { v.len() }'),
  keeps('index.ts', 'video/mp2t', 'export const a: Array<B> = [];', 'document.write(a);'),
  keeps('site.css', 'text/css', 'body { color: red }'),
  isText('tool.py', 'text/x-python', 'import os', '', '@app.route("/")', 'def a(x):', '    return x + 1'),
  isText('app.js', 'text/javascript', 'const a = 1;', 'export function b(x) { return x + a; }'),
  isText('build.sh', 'application/x-sh', '#!/bin/sh', 'set -e', 'make all'),
  isText('report.ps1', OCTETS, '$a = Get-ChildItem -Path C:\\temp', 'Write-Host $a.Count'),
  isText('copy.bat', OCTETS, '@echo off', 'copy a.txt b.txt'),
  isText('task.rb', 'application/x-ruby', 'def a', '  puts 1', 'end'),
  isText('query.pl', 'application/x-perl', 'use strict;', 'print "a\\n";'),
  isText('plot.r', OCTETS, 'x <- c(1, 2)', 'plot(x)'),
];
