using System;
using System.Collections.Generic;
using System.IO;
using System.Reflection;
using System.Runtime.InteropServices;
using Proxel;

/// <summary>Every struct and member of the C header against its counterpart, as the C compiler and the runtime lay them out.</summary>
static class Layouts
{
    static int Main(string[] arguments)
    {
        Assembly bindings = typeof(ProxelContext).Assembly;
        var unseen = new HashSet<string>();
        foreach (Type type in bindings.GetTypes())
        {
            if (!type.IsValueType || type.IsEnum || !type.Name.StartsWith("Prx")) continue;
            unseen.Add(type.Name);
            foreach (FieldInfo field in Fields(type)) unseen.Add(type.Name + "." + field.Name);
        }
        int structs = 0;
        foreach (string line in File.ReadAllLines(arguments[0]))
        {
            string[] words = line.Split(' ');
            string[] path = words[0].Split('.');
            int expected = int.Parse(words[1]);
            Type type = bindings.GetType("Proxel." + path[0]);
            if (!Check.True(type != null, path[0] + " is in the bindings")) continue;
            if (path.Length == 1)
            {
                Check.Equal(Marshal.SizeOf(type), expected, "bytes of " + path[0]);
                Check.True(unseen.Remove(path[0]), path[0] + " is there once");
                ++structs;
                continue;
            }
            string member = Camel(path[1]);
            if (!Check.True(type.GetField(member) != null, path[0] + "." + member + " is in the bindings")) continue;
            Check.Equal((int)Marshal.OffsetOf(type, member), expected, "offset of " + words[0]);
            unseen.Remove(path[0] + "." + member);
        }
        Check.True(structs > 40, "the header's structs were listed: " + structs);
        Check.Equal(string.Join(" ", unseen), "", "what the header does not have");
        return Check.Finish();
    }

    static FieldInfo[] Fields(Type type) => type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic);

    static string Camel(string name)
    {
        string[] words = name.Split('_');
        for (int i = 1; i < words.Length; ++i) words[i] = char.ToUpperInvariant(words[i][0]) + words[i].Substring(1);
        return string.Join("", words);
    }
}
